from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0021_taken_from_of_earlier_copies'),
    ]

    operations = [
        migrations.AlterField(
            model_name='track',
            name='protocol',
            field=models.CharField(choices=[('semantic', 'Semantic similarity'), ('facts', 'Facts'), ('ngram', 'Shared words'), ('embedding_match', 'Matching embeddings'), ('keypoints', 'Keypoints'), ('pairs', 'Caption pairs')], default='semantic', max_length=20),
        ),
    ]
