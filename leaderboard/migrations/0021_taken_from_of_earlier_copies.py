import uuid

from django.db import migrations


def name_originals(apps, schema_editor):
    """Of copies made before, as the audit trail has it; running it twice changes nothing."""
    entries = apps.get_model("leaderboard", "AuditEntry").objects
    submissions = apps.get_model("leaderboard", "Submission").objects
    rescored = entries.filter(action="submission.rescore").values_list("before", "after")
    for before, after in rescored.iterator():
        try:
            copy = uuid.UUID(after["submission"])
            original = uuid.UUID(before["submission"])
        except (KeyError, TypeError, ValueError):
            continue
        if submissions.filter(pk=original).exists():
            submissions.filter(pk=copy, taken_from=None).update(taken_from=original)


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0020_taken_from'),
    ]

    operations = [
        migrations.RunPython(name_originals, migrations.RunPython.noop),
    ]
