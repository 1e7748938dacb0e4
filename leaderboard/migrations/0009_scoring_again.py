from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0008_invitations_and_former_members")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="stands",
            field=models.BooleanField(
                default=False, help_text="Is being scored again; the numbers it has count meanwhile."
            ),
        ),
        migrations.AddField(
            model_name="run",
            name="revision",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="How often its numbers were replaced by scoring it again."
            ),
        ),
    ]
