import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('leaderboard', '0012_direct_uploads'),
    ]

    operations = [
        migrations.AddField(
            model_name='profile',
            name='notice_when_done',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name='profile',
            name='notice_when_failed',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name='notice',
            name='on_site',
            field=models.BooleanField(db_default=True, default=True, help_text='Is shown under Notices.'),
        ),
        migrations.CreateModel(
            name='Sighting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(db_index=True, max_length=64)),
                ('browser', models.CharField(blank=True, max_length=40)),
                ('first_on', models.DateField()),
                ('last_on', models.DateField(db_index=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sightings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-last_on', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('user', 'digest', 'browser'), name='sighting_once')],
            },
        ),
    ]
