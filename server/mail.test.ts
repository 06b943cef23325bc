import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { MailNotAccepted, openSmtp } from './mail.ts'

const mail = { id: 'a', from: 'a@example.com', to: 'b@example.com', subject: 'A', text: 'A text', isAutomatic: true }

// The mailer itself waits for 30 s.
it(
  'a mail to a server that does not respond any more ends when the mailer is closed',
  { timeout: 20_000 },
  async () => {
    const sockets: Socket[] = []
    let isSilent = () => {}
    const silent = new Promise<void>((resolve) => (isSilent = resolve))
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.write('220 here\r\n')
      socket.on('data', (command) => {
        if (/^DATA/i.test(String(command))) isSilent()
        else socket.write('250 ok\r\n')
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const mailer = await openSmtp(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const sent = mailer.send(mail).catch((error: unknown) => error)
    await silent
    mailer.close()
    expect(await sent).toBeInstanceOf(MailNotAccepted)
    for (const socket of sockets) socket.destroy()
    server.close()
  },
)
