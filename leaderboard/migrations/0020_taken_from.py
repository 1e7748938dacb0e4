import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0018_digests'),
    ]

    operations = [
        migrations.AddField(
            model_name='submission',
            name='taken_from',
            field=models.ForeignKey(blank=True, help_text='The one on an older release that curators took in again as this.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='copies', to='leaderboard.submission'),
        ),
    ]
