// Addresses and networks in one spelling each, so that they can be compared and looked up as texts.
import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

interface Network {
  address: Address
  /** Number of leading bits that its addresses share. */
  prefix: number
}

/** IPv4 within IPv6 is IPv4, and IPv6 is in lower case and compressed (RFC 5952). */
export const normalAddress = (written: string): string | undefined =>
  // The usual case, on the way of every request.
  isIPv4(written) ? written : parseAddress(written)?.toString()

/**
 * The network that counts as one client for rate limits: of IPv6 64 bits, which belong to one household.
 * @param address as normalAddress writes it
 */
export const countedNetwork = (address: string): string =>
  isIPv4(address) ? address : `${ipaddr.parse(address).toNormalizedString().split(':').slice(0, 4).join(':')}::/64`

/**
 * As {@link countedNetwork}, for an address or a network in any spelling.
 * @returns undefined for a larger network, which is several clients
 */
export function countedNetworkOf(written: string): string | undefined {
  const network = parseNetwork(written)
  if (!network || network.prefix < Math.min(bitsOf(network.address), 64)) return undefined
  return countedNetwork(network.address.toString())
}

/**
 * Host bits are cleared. A network of one address is that address.
 * @param written an address, or a network in CIDR notation; of IPv4 within IPv6 too
 */
export function normalNetwork(written: string): string | undefined {
  const network = parseNetwork(written)
  return network && write(network)
}

/** Returns all networks, as normalNetwork writes them, that contain the given address or network. */
export function networksContaining(written: string): string[] {
  const network = parseNetwork(written)
  if (!network) return []
  return Array.from({ length: network.prefix + 1 }, (_, prefix) => write({ ...network, prefix }))
}

function parseNetwork(written: string): Network | undefined {
  const [, text = '', suffix] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(written.trim()) ?? []
  const address = parseAddress(text)
  if (!address) return undefined
  const bits = bitsOf(address)
  if (suffix === undefined) return { address, prefix: bits }
  const prefix = Number(suffix) - (bits === 32 && text.includes(':') ? 96 : 0)
  return prefix >= 0 && prefix <= bits ? { address, prefix } : undefined
}

/** NAT64, which would be one client (RFC 6052, section 2.1). */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

function parseAddress(written: string): Address | undefined {
  if (isIPv4(written)) return ipaddr.IPv4.parse(written)
  if (!isIPv6(written)) return undefined
  // A zone such as %eth0 belongs to this machine, not to the address. The URL parser writes an IPv4 suffix in hex, which
  // the library would take for an IPv4-mapped address.
  const address = ipaddr.IPv6.parse(new URL(`http://[${written.replace(/%.*/, '')}]`).hostname.slice(1, -1))
  const isWithinIpv6 = address.isIPv4MappedAddress() || address.match(nat64)
  return isWithinIpv6 ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

function write({ address, prefix }: Network): string {
  const bytes = address.toByteArray().map((byte, at) => byte & (0xff00 >> Math.min(Math.max(prefix - at * 8, 0), 8)))
  const first = ipaddr.fromByteArray(bytes).toString()
  return prefix === bitsOf(address) ? first : `${first}/${prefix}`
}

const bitsOf = (address: Address) => (address.kind() === 'ipv4' ? 32 : 128)
