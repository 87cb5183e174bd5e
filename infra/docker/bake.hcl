# docker buildx bake --file infra/docker/bake.hcl: the images of all apps.
variable "BUILD" { default = "development" }
variable "PREFIX" { default = "scriptorium/" }
variable "PLATFORMS" { default = "linux/amd64" }

group "default" {
  targets = ["app"]
}

target "app" {
  name       = app
  matrix     = { app = ["cli", "collaboration", "content", "conversations", "gateway", "identity", "integrations", "reader", "runtime", "sites"] }
  context    = "."
  dockerfile = "infra/docker/Dockerfile"
  args       = { APP = app, BUILD = BUILD }
  tags       = ["${PREFIX}${app}:${BUILD}"]
  platforms  = split(",", PLATFORMS)
}
