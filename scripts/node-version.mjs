// Checks the version of Node. Imported first, and in syntax that old versions parse, so that they print the message.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  console.error('Node 20.19 or newer is needed; this is Node ' + process.versions.node + ' (' + process.execPath + ').')
  process.exit(1)
}
