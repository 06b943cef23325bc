// Sizes for people.
const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const
const step = 1024

/** `419 KB`, `3.1 GB`: one decimal below 10, none above. 1 KB is 1024 bytes. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (Math.round(value) >= step && unit < units.length - 1) {
    value /= step
    unit += 1
  }
  const rounded = unit > 0 && value < 9.95 ? Math.round(value * 10) / 10 : Math.round(value)
  return `${rounded} ${bytes === 1 ? 'byte' : units[unit]}`
}
