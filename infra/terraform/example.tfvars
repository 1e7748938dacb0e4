region   = "eu-central-1"
site_url = "https://board.example.org"
bucket   = "example-cliprank"
