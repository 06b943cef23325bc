/** Saves bytes as a download. */
export function saveBlob(bytes: Blob, fileName: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = fileName
  link.click()
  // Once the download has started, it has its own reference to the bytes.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
