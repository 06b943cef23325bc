import { LoadFailure } from '../../ui/load-failure.tsx'
import { hideErrorBanner } from './error-banner.ts'

interface Props {
  title: string
  load: () => Promise<unknown>
  isBar: boolean
}

/** In place of what could not be loaded. The banner says why. */
export const Reload = ({ title, load, isBar }: Props) => (
  <LoadFailure
    title={title}
    reason=""
    kind="failed"
    canRetry
    isBar={isBar}
    onRetry={() => {
      hideErrorBanner()
      return load()
    }}
  />
)
