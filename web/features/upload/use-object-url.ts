import { useLayoutEffect, useState } from 'react'

/** An object URL of the file, revoked when the file changes or the component unmounts. */
export function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useLayoutEffect(() => {
    if (file === undefined) return setUrl(undefined)
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [file])
  return url
}
