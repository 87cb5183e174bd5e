{{/* All apps by name: what holds for their kind, and over it what the app's own entry says. */}}
{{- define "scriptorium.apps" -}}
{{- $apps := dict -}}
{{- range $name, $own := .Values.services -}}
{{- $_ := set $apps $name (mustMergeOverwrite (deepCopy $.Values.service) (dict "kind" "service" "ports" dict) (deepCopy $own)) -}}
{{- end -}}
{{- range $name, $own := .Values.httpApps -}}
{{- $_ := set $apps $name (mustMergeOverwrite (deepCopy $.Values.http) (dict "kind" "http" "data" false "files" false "secrets" dict) (deepCopy $own)) -}}
{{- end -}}
{{- with .Values.runtime -}}
{{- if .enabled -}}
{{- $own := omit (deepCopy .) "enabled" "secret" "port" -}}
{{- $_ := set $apps "runtime" (mustMergeOverwrite (dict "kind" "runtime" "data" false "files" false "secrets" dict "ports" (dict "calls" (int64 .port))) $own) -}}
{{- end -}}
{{- end -}}
{{- toYaml $apps -}}
{{- end -}}

{{- define "scriptorium.fullname" -}}
{{- if contains "scriptorium" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-scriptorium" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end -}}
{{- end -}}

{{/* What selects pods: of one app with `name`, of all without. */}}
{{- define "scriptorium.selector" -}}
app.kubernetes.io/name: scriptorium
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .name }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "scriptorium.labels" -}}
{{ include "scriptorium.selector" . }}
{{- with .kind }}
scriptorium/kind: {{ . }}
{{- end }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{- define "scriptorium.image" -}}
{{ .root.Values.image.prefix }}{{ .name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{/* A setting that comes from the Secret, or from another one. */}}
{{- define "scriptorium.fromSecret" -}}
- name: {{ .setting }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret | default .root.Values.secret }}
      key: {{ .key }}
{{- if .optional }}
      optional: true
{{- end }}
{{- end -}}

{{- define "scriptorium.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "scriptorium.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* A number as people write it: values are floating-point numbers here, and 1000000 would be printed as 1e+06. */}}
{{- define "scriptorium.text" -}}
{{- if not (kindIs "float64" .) }}{{ . }}{{ else if eq (floor .) . }}{{ int64 . }}{{ else }}{{ printf "%g" . }}{{ end -}}
{{- end -}}

{{/* Fails unless `app` is an app of httpApps that has the port `port`; `what` names who asks for it. */}}
{{- define "scriptorium.checkPort" -}}
{{- if not (hasKey (dig .app "ports" (dict) .root.Values.httpApps) .port) -}}
{{- fail (printf "%s leads to the port %s of %s, which httpApps does not have" .what .port .app) -}}
{{- end -}}
{{- end -}}
