import { Download, ScrollText } from 'lucide-react'
import { useRef, useState } from 'react'
import type { AuditFormat } from '../../../../contract/endpoints/audit.ts'
import { type AuditQuery, exportAuditLog, isWholeLog, useAuditLog, wholeLog } from './admin-audit.ts'
import { errorText } from '../../../model/api-error.ts'
import { useOnline } from '../../../model/online.ts'
import { audit } from '../../../texts/admin/admin-messages.ts'
import { saveBlob } from '../../../ui/save-blob.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { AuditTable } from './audit-table.tsx'
import { AuditToolbar } from './audit-toolbar.tsx'
import { EmptyState, ListFallback, loadingStateOf, Skeletons } from '../loading-states.tsx'
import { MoreRows } from '../more-rows.tsx'

interface Props {
  query: AuditQuery
  onQuery: (query: AuditQuery) => void
}

const formats: AuditFormat[] = ['csv', 'ndjson']

/** The audit log: filters, list, export. */
export function AuditPanel({ query, onQuery }: Props) {
  const list = useAuditLog(query)
  const entries = list.data ?? []
  const section = useRef<HTMLElement>(null)
  const { isLoading } = loadingStateOf(list)

  return (
    <section ref={section} className="grid gap-4" aria-labelledby="audit" aria-busy={isLoading}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 id="audit" tabIndex={-1} className="text-h2">
            {audit.title}
          </h2>
          <p className="mt-1 text-dense text-text-2">{audit.text}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {formats.map((format) => (
            <ExportButton key={format} query={query} format={format} />
          ))}
        </div>
      </div>
      <AuditToolbar query={query} onQuery={onQuery} />
      <ListFallback
        list={list}
        isEmpty={entries.length === 0}
        failed={audit.failed}
        skeletons={<Skeletons count={5} className="h-13" />}
      >
        <EmptyState icon={<ScrollText className="size-6.5" aria-hidden />} title={audit.noEntries}>
          {!isWholeLog(query) && (
            <button type="button" className="btn btn-quiet mt-4" onClick={() => onQuery(wholeLog)}>
              {audit.clear}
            </button>
          )}
        </EmptyState>
      </ListFallback>
      {entries.length > 0 && (
        <AuditTable
          entries={entries}
          onActor={(actor) => onQuery({ ...query, actor })}
          onTarget={(target) => onQuery({ ...query, target })}
        />
      )}
      <MoreRows
        list={list}
        failed={audit.moreFailed}
        // The focus moves to the first new row.
        onMore={() => section.current?.querySelectorAll<HTMLElement>('tbody th')[entries.length]?.focus()}
      />
    </section>
  )
}

function ExportButton({ query, format }: { query: AuditQuery; format: AuditFormat }) {
  const [isBusy, setBusy] = useState(false)
  const isOnline = useOnline()

  async function save(): Promise<void> {
    setBusy(true)
    try {
      const { bytes, fileName } = await exportAuditLog(query, format)
      saveBlob(bytes, fileName)
    } catch (error) {
      console.info('Not exported', error)
      notify.error(errorText(error, audit.exportFailed), 'admin')
    } finally {
      setBusy(false)
    }
  }

  return (
    <button type="button" className="btn btn-quiet" disabled={!isOnline || isBusy} onClick={() => void save()}>
      <Download className="size-4" aria-hidden />
      {isBusy ? audit.exporting : audit.export[format]}
    </button>
  )
}
