data "aws_iam_policy_document" "assume" {
  for_each = {
    cluster = "eks.amazonaws.com"
    nodes   = "ec2.amazonaws.com"
    pods    = "pods.eks.amazonaws.com"
  }

  statement {
    actions = each.key == "pods" ? ["sts:AssumeRole", "sts:TagSession"] : ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = [each.value]
    }
  }
}

resource "aws_iam_role" "cluster" {
  name               = "${var.name}-cluster"
  assume_role_policy = data.aws_iam_policy_document.assume["cluster"].json
}

resource "aws_iam_role_policy_attachment" "cluster" {
  role       = aws_iam_role.cluster.name
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy"
}

resource "aws_kms_key" "cluster" {
  description         = "Secrets of the cluster ${var.name}"
  enable_key_rotation = true
}

resource "aws_eks_cluster" "main" {
  name                      = var.name
  version                   = var.cluster_version
  role_arn                  = aws_iam_role.cluster.arn
  enabled_cluster_log_types = ["api", "audit", "authenticator"]

  access_config {
    authentication_mode                         = "API"
    bootstrap_cluster_creator_admin_permissions = true
  }

  vpc_config {
    subnet_ids              = aws_subnet.private[*].id
    endpoint_private_access = true
    endpoint_public_access  = length(var.admin_networks) > 0
    public_access_cidrs     = length(var.admin_networks) > 0 ? var.admin_networks : null
  }

  encryption_config {
    resources = ["secrets"]

    provider {
      key_arn = aws_kms_key.cluster.arn
    }
  }

  depends_on = [aws_iam_role_policy_attachment.cluster]
}

# Pods get their roles from the identity agent; CPU figures for the autoscaler come from the server
# of metrics.
resource "aws_eks_addon" "main" {
  for_each = toset(["vpc-cni", "kube-proxy", "coredns", "eks-pod-identity-agent", "metrics-server"])

  cluster_name = aws_eks_cluster.main.name
  addon_name   = each.value

  depends_on = [aws_eks_node_group.cpu]
}

resource "aws_iam_role" "nodes" {
  name               = "${var.name}-nodes"
  assume_role_policy = data.aws_iam_policy_document.assume["nodes"].json
}

resource "aws_iam_role_policy_attachment" "nodes" {
  for_each = toset([
    "AmazonEKSWorkerNodePolicy",
    "AmazonEKS_CNI_Policy",
    "AmazonEC2ContainerRegistryPullOnly",
  ])

  role       = aws_iam_role.nodes.name
  policy_arn = "arn:aws:iam::aws:policy/${each.value}"
}

# Pods do not read the node's own role: one hop, and a token.
resource "aws_launch_template" "nodes" {
  for_each = { cpu = 50, gpu = var.gpu_nodes.disk }

  name_prefix = "${var.name}-${each.key}-"

  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  block_device_mappings {
    device_name = "/dev/xvda"

    ebs {
      volume_size = each.value
      volume_type = "gp3"
      encrypted   = true
    }
  }
}

resource "aws_eks_node_group" "cpu" {
  cluster_name    = aws_eks_cluster.main.name
  node_group_name = "cpu"
  node_role_arn   = aws_iam_role.nodes.arn
  subnet_ids      = aws_subnet.private[*].id
  instance_types  = var.cpu_nodes.instance_types
  ami_type        = "AL2023_x86_64_STANDARD"
  labels          = { "cliprank/pool" = "cpu" }

  launch_template {
    id      = aws_launch_template.nodes["cpu"].id
    version = aws_launch_template.nodes["cpu"].latest_version
  }

  scaling_config {
    min_size     = var.cpu_nodes.min
    desired_size = var.cpu_nodes.min
    max_size     = var.cpu_nodes.max
  }

  # The cluster's autoscaler says how many there are.
  lifecycle {
    ignore_changes = [scaling_config[0].desired_size]
  }

  depends_on = [aws_iam_role_policy_attachment.nodes]
}

resource "aws_eks_node_group" "gpu" {
  cluster_name    = aws_eks_cluster.main.name
  node_group_name = "gpu"
  node_role_arn   = aws_iam_role.nodes.arn
  subnet_ids      = aws_subnet.private[*].id
  instance_types  = var.gpu_nodes.instance_types
  ami_type        = "AL2023_x86_64_NVIDIA"
  labels          = { "cliprank/pool" = "gpu" }

  launch_template {
    id      = aws_launch_template.nodes["gpu"].id
    version = aws_launch_template.nodes["gpu"].latest_version
  }

  scaling_config {
    min_size     = 0
    desired_size = 0
    max_size     = var.gpu_nodes.max
  }

  taint {
    key    = "nvidia.com/gpu"
    value  = "present"
    effect = "NO_SCHEDULE"
  }

  lifecycle {
    ignore_changes = [scaling_config[0].desired_size]
  }

  depends_on = [aws_iam_role_policy_attachment.nodes]
}

# --- the cluster's autoscaler: starts GPU nodes from none ----------------------------------------

data "aws_iam_policy_document" "autoscaler" {
  statement {
    actions = [
      "autoscaling:DescribeAutoScalingGroups",
      "autoscaling:DescribeAutoScalingInstances",
      "autoscaling:DescribeLaunchConfigurations",
      "autoscaling:DescribeScalingActivities",
      "ec2:DescribeImages",
      "ec2:DescribeInstanceTypes",
      "ec2:DescribeLaunchTemplateVersions",
      "ec2:GetInstanceTypesFromInstanceRequirements",
      "eks:DescribeNodegroup",
    ]
    resources = ["*"]
  }

  statement {
    actions = [
      "autoscaling:SetDesiredCapacity",
      "autoscaling:TerminateInstanceInAutoScalingGroup",
    ]
    resources = ["*"]

    condition {
      test     = "StringEquals"
      variable = "aws:ResourceTag/k8s.io/cluster-autoscaler/${var.name}"
      values   = ["owned"]
    }
  }
}

resource "aws_iam_role" "autoscaler" {
  name               = "${var.name}-autoscaler"
  assume_role_policy = data.aws_iam_policy_document.assume["pods"].json
}

resource "aws_iam_role_policy" "autoscaler" {
  name   = "scale"
  role   = aws_iam_role.autoscaler.id
  policy = data.aws_iam_policy_document.autoscaler.json
}

resource "aws_eks_pod_identity_association" "autoscaler" {
  cluster_name    = aws_eks_cluster.main.name
  namespace       = "kube-system"
  service_account = "cluster-autoscaler"
  role_arn        = aws_iam_role.autoscaler.arn
}
