// Which addresses are public: reachable by anyone, and neither this machine nor its network.
import { BlockList, isIP, isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Not globally reachable (IANA IPv4 Special-Purpose Address Registry), 6to4 relays, multicast and reserved. */
const ipv4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])

/**
 * Global unicast (RFC 4291, section 2.4). All others are refused: loopback, link-local, unique local,
 * multicast, and IPv4 within IPv6, such as mapped and NAT64 addresses.
 */
const globalUnicast = blockList('ipv6', ['2000::/3'])
/** Within it: IETF protocols with Teredo, documentation, and 6to4, which embeds an IPv4 address. */
const specialUnicast = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** @param address as a resolver or the URL parser writes it */
export function isPublicAddress(address: string): boolean {
  if (isOwnAddress(address)) return false
  if (isIPv4(address)) return !ipv4.check(address)
  return globalUnicast.check(address, 'ipv6') && !specialUnicast.check(address, 'ipv6')
}

/** Whether the host of a URL is an address that is not public; false for a name. */
export function hasPrivateAddress(url: URL): boolean {
  const host = hostOf(url)
  return isIP(host) !== 0 && !isPublicAddress(host)
}

/** The host name, or the address without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Also public addresses of this machine: its firewall does not apply to connections from itself. */
const isOwnAddress = (address: string) =>
  Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === address) === true)

function blockList(family: 'ipv4' | 'ipv6', networks: string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}
