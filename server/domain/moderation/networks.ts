// Addresses and networks in one spelling each, so that they can be compared and looked up as texts.
import { isIPv4, isIPv6 } from 'node:net'

interface Address {
  value: bigint
  /** 32 for IPv4, 128 for IPv6. */
  bits: number
}

interface Network extends Address {
  /** Number of leading bits that its addresses share. */
  prefix: number
}

/** IPv4 within IPv6 is IPv4, and IPv6 is in lower case and compressed (RFC 5952). */
export function normalAddress(written: string): string | undefined {
  if (isIPv4(written)) return written
  const address = parseAddress(written)
  return address && write({ ...address, prefix: address.bits })
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

/**
 * The first 96 bits of IPv4 within IPv6: IPv4-mapped (RFC 4291, section 2.5.5.2), and NAT64, which would
 * be one client (RFC 6052, section 2.1).
 */
const ipv4Prefixes = new Set([0xffffn, 0x64_ff9bn << 64n])
const ipv4PrefixBits = 96

function parseNetwork(written: string): Network | undefined {
  const [, text = '', suffix] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(written.trim()) ?? []
  const address = parseAddress(text)
  if (!address) return undefined
  if (suffix === undefined) return { ...address, prefix: address.bits }
  const prefix = Number(suffix) - (address.bits === 32 && text.includes(':') ? ipv4PrefixBits : 0)
  return prefix >= 0 && prefix <= address.bits ? { ...address, prefix } : undefined
}

function parseAddress(written: string): Address | undefined {
  if (isIPv4(written)) return { value: join(written.split('.').map(Number), 8), bits: 32 }
  if (!isIPv6(written)) return undefined
  const value = join(
    groupsOf(written).map((group) => Number.parseInt(group, 16)),
    16,
  )
  return ipv4Prefixes.has(value >> 32n) ? { value: value & 0xffff_ffffn, bits: 32 } : { value, bits: 128 }
}

const join = (parts: number[], bitsEach: number) =>
  parts.reduce((value, part) => (value << BigInt(bitsEach)) | BigInt(part), 0n)

/** All eight groups, in hex. A zone such as %eth0 belongs to this machine, not to the address. */
export function groupsOf(address: string): string[] {
  const [front = [], back = []] = compressed(address.split('%')[0] ?? '')
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  return [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
}

/** The URL parser normalizes an IPv6 address: hex to the end, lower case, one `::`. */
const compressed = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1)

function write({ value, bits, prefix }: Network): string {
  const hostBits = BigInt(bits - prefix)
  const first = (value >> hostBits) << hostBits
  const address = bits === 32 ? parts(first, 4, 8).join('.') : compressed(hexGroups(first))
  return prefix === bits ? address : `${address}/${prefix}`
}

const hexGroups = (value: bigint) =>
  parts(value, 8, 16)
    .map((group) => group.toString(16))
    .join(':')

/** Splits a value into `count` numbers of `bitsEach` bits, the most significant first. */
const parts = (value: bigint, count: number, bitsEach: number): bigint[] =>
  Array.from({ length: count }, (_, at) => BigInt.asUintN(bitsEach, value >> BigInt((count - 1 - at) * bitsEach)))
