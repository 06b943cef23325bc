// The router's own hook decodes the search once: %2F within a name would be lost.
import { useSearch } from 'wouter/use-browser-location'
import { reportLimits } from '../../contract/plain/moderation-limits.ts'
import { ReportForm } from '../features/report/report-form.tsx'
import { report } from '../texts/report-messages.ts'
import { usePageTitle } from './use-page-title.ts'

/** `?image=` fills in the image to report. */
export function ReportPage() {
  usePageTitle(report.title)
  const image = (new URLSearchParams(useSearch()).get('image') ?? '').slice(0, reportLimits.maxImageLength)
  return (
    <div className="page page-text pt-8 md:pt-12">
      <h1 className="text-title">{report.title}</h1>
      <p className="mt-3 mb-10 max-w-[60ch] text-lead text-text-2">{report.lead}</p>
      <div className="max-w-[44rem]">
        <ReportForm key={image} image={image} />
      </div>
    </div>
  )
}
