// IPX over a folder, started as its documentation describes. Argument: the folder.
import { createServer } from 'node:http'

/** Imports from this folder's node_modules, which exists only after the benchmark peers was installed. @param {string} name */
const peer = (name) => import(import.meta.resolve(name))
const { createIPX, createIPXNodeServer, ipxFSStorage } = await peer('ipx')

const ipx = createIPX({ storage: ipxFSStorage({ dir: process.argv[2] ?? '' }) })
const server = createServer(createIPXNodeServer(ipx))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.(`http://127.0.0.1:${address.port}`)
})
process.on('disconnect', () => process.exit(0))
