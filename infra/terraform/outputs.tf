output "cluster" {
  description = "Name of the cluster: aws eks update-kubeconfig --name NAME"
  value       = aws_eks_cluster.main.name
}

output "secret" {
  description = "Secret of the Secrets Manager whose keys the chart's Secret needs."
  value       = aws_secretsmanager_secret.site.name
}

output "images" {
  description = "Where the images are pushed to, by part."
  value       = { for part, repository in aws_ecr_repository.main : part => repository.repository_url }
}

output "values" {
  description = "Values for the chart: terraform output -json values > values.json"
  value = {
    site = {
      host = trimprefix(var.site_url, "https://")
      env  = { BROKER_VISIBILITY_SECONDS = "15600" } # the broker's consumer_timeout
    }
    secret  = "${var.name}-site"
    storage = { bucket = aws_s3_bucket.main.id, region = var.region }
    images = {
      web  = { repository = aws_ecr_repository.main["web"].repository_url }
      cpu  = { repository = aws_ecr_repository.main["worker"].repository_url }
      cuda = { repository = aws_ecr_repository.main["worker"].repository_url }
    }
  }
}
