# Everything that one site needs on AWS: network, cluster with CPU and GPU nodes, PostgreSQL, RabbitMQ,
# a cache, a bucket, registries of images. What runs in the cluster is the chart's (../helm/cliprank).
terraform {
  required_version = ">= 1.9"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
    random = {
      source  = "hashicorp/random"
      version = "~> 3.6"
    }
  }

  # The state holds passwords: keep it in an encrypted bucket that few may read.
  #   terraform init -backend-config=bucket=... -backend-config=key=cliprank -backend-config=region=...
  backend "s3" {
    encrypt      = true
    use_lockfile = true
  }
}

provider "aws" {
  region = var.region

  default_tags {
    tags = {
      site = var.name
    }
  }
}
