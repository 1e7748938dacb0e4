import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("leaderboard", "0007_progress_and_sketches"),
    ]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="sender_left",
            field=models.BooleanField(default=False, help_text="Its sender's account was deleted; a former member sent it."),
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(help_text="In lower case.", max_length=254)),
                ("role", models.CharField(choices=[("owner", "Owner: invites and removes people"), ("member", "Member: submits for the team")], default="member", max_length=8)),
                ("invited_at", models.DateTimeField(auto_now_add=True)),
                ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="leaderboard.team")),
            ],
            options={
                "ordering": ["team", "email"],
                "constraints": [models.UniqueConstraint(fields=("team", "email"), name="invitation_once")],
            },
        ),
    ]
