{{- define "rollcall.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "rollcall.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "rollcall.labels" -}}
{{ include "rollcall.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "rollcall.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
{{- end -}}

{{/* What the service and its migrations both need. */}}
{{- define "rollcall.container" -}}
image: {{ include "rollcall.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env:
  - name: ROLLCALL_DATABASE_URL
    valueFrom:
      secretKeyRef:
        name: {{ required "existingSecret must name a Secret with the keys database-url and secret" .Values.existingSecret | quote }}
        key: database-url
  - name: ROLLCALL_SECRET
    valueFrom:
      secretKeyRef:
        name: {{ .Values.existingSecret | quote }}
        key: secret
  {{- range $name, $key := .Values.secretSettings }}
  - name: {{ $name }}
    valueFrom:
      secretKeyRef:
        name: {{ $.Values.existingSecret | quote }}
        key: {{ $key | quote }}
  {{- end }}
  - name: ROLLCALL_PRODUCTION_URL
    value: {{ .Values.urls.production | quote }}
  - name: ROLLCALL_SANDBOX_URL
    value: {{ .Values.urls.sandbox | quote }}
  - name: ROLLCALL_DASHBOARD_URL
    value: {{ .Values.urls.dashboard | quote }}
  - name: ROLLCALL_TRUSTED_PROXIES
    value: {{ .Values.trustedProxies | quote }}
  {{- if .Values.metrics.enabled }}
  - name: ROLLCALL_METRICS_HOST
    value: "0.0.0.0"
  - name: ROLLCALL_METRICS_PORT
    value: {{ .Values.metrics.port | quote }}
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
resources:
  {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end -}}
