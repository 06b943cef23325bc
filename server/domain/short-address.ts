import { siteOf } from './throttle.ts'

/**
 * Shortens a client's address to its network, which shows where requests come from without
 * identifying a household: /24 of IPv4, /48 of IPv6.
 * @param address as server/http/client-address.ts returns it: an IPv4 address, the /64 network of
 * an IPv6 address, or 'unknown'
 */
export const shortAddress = (address: string): string => siteOf(address) ?? address.replace(/\.\d+$/, '.0/24')
