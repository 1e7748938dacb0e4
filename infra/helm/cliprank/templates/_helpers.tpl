{{/* Names and parts that several manifests share. */}}

{{- define "cliprank.labels" -}}
app.kubernetes.io/name: cliprank
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* What selects the pods of one part: (dict "root" $ "part" "web"). */}}
{{- define "cliprank.selector" -}}
app.kubernetes.io/name: cliprank
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "cliprank.image" -}}
{{- $image := index .root.Values.images .image -}}
{{- $tag := printf "%s%s" .root.Chart.AppVersion (ternary "-cuda" "" (eq .image "cuda")) -}}
{{ $image.repository }}:{{ $image.tag | default $tag }}
{{- end }}

{{- define "cliprank.serviceAccount" -}}
{{ .Release.Name }}-site
{{- end }}

{{/* Variables of every process that are no secret; the README explains each. */}}
{{- define "cliprank.env" -}}
{{- $site := .Values.site -}}
{{- $url := printf "%s://%s" (ternary "https" "http" $site.https) $site.host -}}
- name: SITE_URL
  value: {{ $url | quote }}
- name: ALLOWED_HOSTS
  value: {{ without (list $site.host $site.otherHosts) "" | join "," | quote }}
- name: CSRF_TRUSTED_ORIGINS
  value: {{ $url | quote }}
- name: HTTPS
  value: {{ ternary "1" "0" $site.https | quote }}
- name: TRUSTED_PROXIES
  value: {{ $site.trustedProxies | quote }}
- name: MAIL_FROM
  value: {{ $site.mailFrom | quote }}
- name: LOG_FORMAT
  value: json
- name: DATA_DIR
  value: /data
- name: HOME
  value: /tmp
{{- with .Values.storage }}
{{- if .bucket }}
- name: AWS_STORAGE_BUCKET_NAME
  value: {{ .bucket | quote }}
- name: AWS_DEFAULT_REGION
  value: {{ .region | quote }}
{{- with .endpoint }}
- name: AWS_ENDPOINT_URL
  value: {{ . | quote }}
{{- end }}
- name: EMBEDDING_CACHE
  value: {{ printf "s3://%s/embeddings" .bucket | quote }}
{{- else }}
- name: MEDIA_ROOT
  value: /media
- name: EMBEDDING_CACHE
  value: /embeddings
{{- end }}
{{- end }}
{{- range $name, $value := $site.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* Passwords and keys: all of the Secret. */}}
{{- define "cliprank.envFrom" -}}
- secretRef:
    name: {{ .Values.secret }}
{{- end }}

{{/* The only folders that a process writes to. */}}
{{- define "cliprank.mounts" -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- if .Values.storage.claim }}
- name: shared
  mountPath: /media
  subPath: media
- name: shared
  mountPath: /embeddings
  subPath: embeddings
{{- end }}
{{- end }}

{{- define "cliprank.volumes" -}}
- name: data
  emptyDir: {}
- name: tmp
  emptyDir: {}
{{- with .Values.storage.claim }}
- name: shared
  persistentVolumeClaim:
    claimName: {{ . }}
{{- end }}
{{- end }}

{{- define "cliprank.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "cliprank.security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "cliprank.pullSecrets" -}}
{{- with .Values.images.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{/* The queue's length, once for each judge: (dict "root" $ "queues" ... "judges" ... "runs" 5). */}}
{{- define "cliprank.triggers" -}}
{{- $scaling := .root.Values.scaling -}}
{{- $runs := .runs -}}
{{- range .queues }}
{{- if eq $scaling.trigger "rabbitmq" }}
# By the management API, which counts what a worker has taken and not finished, too: a judge at work
# is not scaled to zero.
- type: rabbitmq
  metadata:
    protocol: http
    queueName: {{ . }}
    vhostName: {{ $scaling.virtualHost | quote }}
    mode: QueueLength
    value: {{ $runs | quote }}
  authenticationRef:
    name: {{ $.root.Release.Name }}-queues
{{- else }}
- type: redis
  metadata:
    address: {{ $scaling.redis.address | quote }}
    databaseIndex: {{ $scaling.redis.database | quote }}
    enableTLS: {{ $scaling.redis.tls | quote }}
    listName: {{ . }}
    listLength: {{ $runs | quote }}
  authenticationRef:
    name: {{ $.root.Release.Name }}-queues
{{- end }}
{{- end }}
{{- if eq $scaling.trigger "redis" }}
{{- with .judges }}
# A list holds only what no worker has taken; the database says who is at work.
- type: postgresql
  metadata:
    query: >-
      SELECT COUNT(*) FROM leaderboard_run
      WHERE state = 'running' AND judge IN ('{{ join "', '" . }}')
    targetQueryValue: "1"
  authenticationRef:
    name: {{ $.root.Release.Name }}-queues
{{- end }}
{{- end }}
{{- end }}
