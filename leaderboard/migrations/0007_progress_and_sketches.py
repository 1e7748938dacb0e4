import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0006_people_and_policies")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="sent_at",
            field=models.DateTimeField(
                blank=True, help_text="When its message was last sent again.", null=True
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="wants_mail",
            field=models.BooleanField(default=False, help_text="Goes out as a mail too."),
        ),
        migrations.CreateModel(
            name="TextSketch",
            fields=[
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="sketch",
                        serialize=False,
                        to="leaderboard.submission",
                    ),
                ),
                ("version", models.PositiveSmallIntegerField()),
                ("data", models.BinaryField()),
            ],
            options={"ordering": ["submission"]},
        ),
    ]
