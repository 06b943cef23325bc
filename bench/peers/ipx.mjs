// IPX as its own documentation starts it, over a folder. Takes the folder as its argument.
import { createServer } from 'node:http'

/** From this folder's own node_modules, which is there only when the part peers is asked for. @param {string} name */
const peer = (name) => import(import.meta.resolve(name))
const { createIPX, createIPXNodeServer, ipxFSStorage } = await peer('ipx')

const ipx = createIPX({ storage: ipxFSStorage({ dir: process.argv[2] ?? '' }) })
const server = createServer(createIPXNodeServer(ipx))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.(`http://127.0.0.1:${address.port}`)
})
process.on('disconnect', () => process.exit(0))
