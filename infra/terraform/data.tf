# Passwords are letters and digits, since they become parts of addresses.
resource "random_password" "main" {
  for_each = toset(["database", "broker", "cache", "secret_key"])

  length  = each.value == "secret_key" ? 60 : 32
  special = false
}

# --- PostgreSQL -----------------------------------------------------------------------------------

resource "aws_db_subnet_group" "main" {
  name       = var.name
  subnet_ids = aws_subnet.private[*].id
}

resource "aws_db_parameter_group" "main" {
  name   = "${var.name}-17"
  family = "postgres17"

  parameter {
    name  = "rds.force_ssl"
    value = "1"
  }
}

resource "aws_db_instance" "main" {
  identifier                      = var.name
  engine                          = "postgres"
  engine_version                  = "17"
  instance_class                  = var.database.class
  allocated_storage               = var.database.disk
  max_allocated_storage           = var.database.disk_max
  storage_type                    = "gp3"
  storage_encrypted               = true
  db_name                         = "cliprank"
  username                        = "cliprank"
  password                        = random_password.main["database"].result
  parameter_group_name            = aws_db_parameter_group.main.name
  db_subnet_group_name            = aws_db_subnet_group.main.name
  vpc_security_group_ids          = [aws_security_group.services.id]
  publicly_accessible             = false
  multi_az                        = var.database.multi_az
  backup_retention_period         = var.database.backups
  copy_tags_to_snapshot           = true
  auto_minor_version_upgrade      = true
  performance_insights_enabled    = true
  enabled_cloudwatch_logs_exports = ["postgresql", "upgrade"]
  deletion_protection             = true
  final_snapshot_identifier       = "${var.name}-final"
}

# --- RabbitMQ -------------------------------------------------------------------------------------

resource "aws_mq_configuration" "main" {
  name           = var.name
  description    = "Longer than the longest run (RUN_HARD_SECONDS), in milliseconds"
  engine_type    = "RabbitMQ"
  engine_version = "3.13"
  data           = "consumer_timeout = 15600000"
}

resource "aws_mq_broker" "main" {
  broker_name                = var.name
  engine_type                = "RabbitMQ"
  engine_version             = "3.13"
  host_instance_type         = var.broker.instance_type
  deployment_mode            = var.broker.cluster ? "CLUSTER_MULTI_AZ" : "SINGLE_INSTANCE"
  subnet_ids                 = var.broker.cluster ? aws_subnet.private[*].id : [aws_subnet.private[0].id]
  security_groups            = [aws_security_group.services.id]
  publicly_accessible        = false
  auto_minor_version_upgrade = true

  configuration {
    id       = aws_mq_configuration.main.id
    revision = aws_mq_configuration.main.latest_revision
  }

  user {
    username = "cliprank"
    password = random_password.main["broker"].result
  }

  logs {
    general = true
  }
}

# --- the cache that web processes share: limits by address, tables that were computed -------------

resource "aws_elasticache_subnet_group" "main" {
  name       = var.name
  subnet_ids = aws_subnet.private[*].id
}

resource "aws_elasticache_replication_group" "main" {
  replication_group_id       = var.name
  description                = "What web processes of ${var.name} share"
  engine                     = "valkey"
  engine_version             = "8.0"
  node_type                  = var.cache_node_type
  num_cache_clusters         = 1
  subnet_group_name          = aws_elasticache_subnet_group.main.name
  security_group_ids         = [aws_security_group.services.id]
  at_rest_encryption_enabled = true
  transit_encryption_enabled = true
  auth_token                 = random_password.main["cache"].result
}

# --- what the processes are told, for a Secret of the cluster -------------------------------------

locals {
  amqps = aws_mq_broker.main.instances[0].endpoints[0]
  # amqps://HOST:5671, and the management API at https://HOST
  broker_host = split(":", trimprefix(local.amqps, "amqps://"))[0]
}

resource "aws_secretsmanager_secret" "site" {
  name = "${var.name}-site"
}

resource "aws_secretsmanager_secret_version" "site" {
  secret_id = aws_secretsmanager_secret.site.id
  secret_string = jsonencode({
    SECRET_KEY              = random_password.main["secret_key"].result
    DATABASE_URL            = "postgres://cliprank:${random_password.main["database"].result}@${aws_db_instance.main.endpoint}/cliprank?sslmode=require"
    CELERY_BROKER_URL       = "amqps://cliprank:${random_password.main["broker"].result}@${local.broker_host}:5671//"
    RABBITMQ_MANAGEMENT_URL = "https://cliprank:${random_password.main["broker"].result}@${local.broker_host}"
    CACHE_URL               = "rediss://:${random_password.main["cache"].result}@${aws_elasticache_replication_group.main.primary_endpoint_address}:6379/0"
  })
}
