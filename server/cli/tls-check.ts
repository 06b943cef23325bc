// What `doctor` finds out about the TLS of the proxy: certificate, versions and ciphers.
import { isIP } from 'node:net'
import { connect, type ConnectionOptions } from 'node:tls'
import { dayMs } from '../../contract/plain/limits.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const timeoutMs = 5000
/** Certificates of public authorities are renewed a month before they end. */
const renewalMs = 14 * dayMs

/** Settings of a client that a proxy should refuse. Without the security level OpenSSL refuses to offer them. */
const weakClients: [what: string, options: ConnectionOptions][] = [
  ['TLS 1.0 or 1.1', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }],
  ['ciphers without forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'kRSA:!eNULL:@SECLEVEL=0' }],
  // Of AEAD suites the digest is no MAC: these are CBC suites.
  [
    'ciphers in CBC mode',
    { maxVersion: 'TLSv1.2', ciphers: 'ECDHE+SHA1:ECDHE+SHA256:!AESGCM:!CHACHA20:!eNULL:@SECLEVEL=0' },
  ],
]

const advice = 'Allow TLS 1.2 and 1.3 with forward secrecy and AEAD ciphers only: docs/operate.md, "Behind a proxy".'

/** @param url of a server that accepts connections, with https */
export async function checkTls(url: string): Promise<Finding[]> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const address = { host, port: Number(port || 443), ...(isIP(host) === 0 && { servername: host }) }
  const best = await shakeHands(address)
  if (best instanceof Error)
    return problem(
      `TLS: the connection to ${hostname} is not trusted: ${best.message}`,
      "Use a certificate of a public authority, such as Let's Encrypt, with its whole chain.",
    )
  const findings = ok(`TLS: ${best.protocol}, certificate until ${new Date(best.validTo).toISOString().slice(0, 10)}`)
  if (best.validTo - Date.now() < renewalMs)
    findings.push(...warning('TLS: the certificate ends soon', 'Renew it, automatically if possible.'))
  for (const [what, options] of weakClients) {
    const accepted = await shakeHands({ ...address, ...options })
    if (!(accepted instanceof Error))
      findings.push(...warning(`TLS: ${hostname} accepts ${what} (${accepted.cipher})`, advice))
  }
  return findings
}

/** @returns why there is no connection: refused, or a certificate that this machine does not trust */
function shakeHands(
  options: ConnectionOptions,
): Promise<{ protocol: string; cipher: string; validTo: number } | Error> {
  return new Promise((resolve) => {
    const socket = connect(options, () => {
      const { valid_to: validTo } = socket.getPeerCertificate()
      resolve({
        protocol: socket.getProtocol() ?? '',
        cipher: socket.getCipher().name,
        validTo: Date.parse(validTo),
      })
      socket.destroy()
    })
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('it does not respond in time')))
    socket.once('error', resolve)
  })
}
