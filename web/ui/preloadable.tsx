import { lazy, type ComponentType } from 'react'

/** A lazy component that can be loaded before it is rendered, so that it appears without a gap. */
export function preloadable<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Loaded: ComponentType<Props> | undefined
  const loadOnce = async () => (Loaded ??= await load())
  const Lazy = lazy(async () => ({ default: await loadOnce() })) as unknown as ComponentType<Props>
  return {
    load: loadOnce,
    Component: (props: Props) => (Loaded === undefined ? <Lazy {...props} /> : <Loaded {...props} />),
  }
}
