// An IPv6 customer may have 65,536 networks of 64 bits, which are counted as addresses: their site of 48 bits counts too.

/** How many networks of its size may use as much as an address within one IPv6 site. */
export const networksPerSite = 16

/** The /48 network of an IPv6 /64 network. */
export const siteOf = (address: string): string | undefined =>
  address.endsWith('::/64') ? `${address.split(':').slice(0, 3).join(':')}::/48` : undefined
