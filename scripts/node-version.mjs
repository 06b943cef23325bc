// Imported before anything else, and written so that an old Node can read it: the refusal must not be a syntax error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  console.error('Node 20.19 or newer is needed; this is Node ' + process.versions.node + ' (' + process.execPath + ').')
  process.exit(1)
}
