import { lazy, useState, type ComponentType } from 'react'

/**
 * A component whose script is loaded when it is first rendered, or before that by `load`. Loaded before, it is rendered at
 * once. `lazy` alone would show the fallback first, and after a fallback React shows nothing new for 300 ms.
 */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Loaded: ComponentType<Props> | undefined
  const loadOnce = async () => (Loaded ??= await load())
  const Lazy = lazy(async () => ({ default: await loadOnce() })) as unknown as ComponentType<Props>
  function OnDemand(props: Props) {
    const [Shown] = useState(() => Loaded ?? Lazy)
    return <Shown {...props} />
  }
  return Object.assign(OnDemand, { load: loadOnce })
}
