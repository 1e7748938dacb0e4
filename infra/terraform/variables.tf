variable "name" {
  description = "Name of the site; resources are named after it."
  type        = string
  default     = "cliprank"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,20}[a-z0-9]$", var.name))
    error_message = "Small letters, digits and hyphens, 3 to 22 of them, beginning with a letter."
  }
}

variable "region" {
  description = "AWS region; it needs the GPU instances."
  type        = string
}

variable "site_url" {
  description = "Address of the site, https://board.example.org; browsers there may upload to the bucket."
  type        = string

  validation {
    condition     = can(regex("^https://[^/]+$", var.site_url))
    error_message = "It begins with https:// and ends without a slash."
  }
}

variable "bucket" {
  description = "Name of the bucket for uploads, worldwide the only one of its name."
  type        = string
}

variable "network" {
  description = "Addresses of the network."
  type        = string
  default     = "10.20.0.0/16"
}

variable "cluster_version" {
  description = "Kubernetes version of the cluster."
  type        = string
  default     = "1.34"
}

variable "admin_networks" {
  description = "Networks from which the cluster's API may be reached. Empty: from inside alone."
  type        = list(string)
  default     = []

  validation {
    condition     = !contains(var.admin_networks, "0.0.0.0/0")
    error_message = "The whole world is not a network of administrators."
  }
}

variable "cpu_nodes" {
  description = "Nodes for web, beat and judges that need no GPU."
  type = object({
    instance_types = list(string)
    min            = number
    max            = number
  })
  default = {
    instance_types = ["m7i.large"]
    min            = 2
    max            = 6
  }
}

variable "gpu_nodes" {
  description = "Nodes for judges of billions of parameters; none while there is nothing to score. Disk in GB."
  type = object({
    instance_types = list(string)
    max            = number
    disk           = number
  })
  default = {
    instance_types = ["g6e.2xlarge"]
    max            = 4
    disk           = 200
  }
}

variable "database" {
  description = "Class and disk (GB, and up to how many it grows) of PostgreSQL, and whether a second zone stands by."
  type = object({
    class    = string
    disk     = number
    disk_max = number
    multi_az = bool
    backups  = number
  })
  default = {
    class    = "db.t4g.medium"
    disk     = 50
    disk_max = 500
    multi_az = true
    backups  = 14
  }
}

variable "broker" {
  description = "Instance type of RabbitMQ, and whether it is a cluster of three."
  type = object({
    instance_type = string
    cluster       = bool
  })
  default = {
    instance_type = "mq.m7g.medium"
    cluster       = false
  }
}

variable "cache_node_type" {
  description = "Node type of the cache that web processes share."
  type        = string
  default     = "cache.t4g.micro"
}

variable "embeddings_days" {
  description = "Days after which vectors in the bucket are computed anew rather than kept."
  type        = number
  default     = 180
}
