import { Download, ScrollText } from 'lucide-react'
import { useState } from 'react'
import type { AuditFormat } from '../../../../contract/endpoints/audit.ts'
import { auditList, type AuditQuery, exportAuditLog, isWholeLog, wholeLog } from './admin-audit.ts'
import { errorText } from '../../../format/error-text.ts'
import { useOnline } from '../../../model/online.ts'
import { usePages } from '../../../model/row-list.ts'
import { audit } from '../../../texts/admin/admin-messages.ts'
import { ListPanel } from '../../../ui/list-panel/list-panel.tsx'
import { Skeletons } from '../../../ui/list-panel/skeletons.tsx'
import { saveBlob } from '../../../ui/save-blob.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { AuditTable } from './audit-table.tsx'
import { AuditFilterFields } from './audit-filter-fields.tsx'

interface Props {
  query: AuditQuery
  onQuery: (query: AuditQuery) => void
}

const formats: AuditFormat[] = ['csv', 'ndjson']

/** The audit log: filters, list, export. */
export function AuditPanel({ query, onQuery }: Props) {
  const list = usePages(auditList(query))
  return (
    <ListPanel
      id="audit"
      icon={ScrollText}
      texts={audit}
      list={list}
      action={
        <div className="flex flex-wrap gap-2">
          {formats.map((format) => (
            <ExportButton key={format} query={query} format={format} />
          ))}
        </div>
      }
      filters={<AuditFilterFields query={query} onQuery={onQuery} />}
      skeletons={<Skeletons count={5} className="h-13" />}
      onClear={isWholeLog(query) ? undefined : () => onQuery(wholeLog)}
    >
      <AuditTable
        entries={list.rows}
        onActor={(actor) => onQuery({ ...query, actor })}
        onTarget={(target) => onQuery({ ...query, target })}
      />
    </ListPanel>
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
      notify.failure(errorText(error, audit.exportFailed), error, 'admin')
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
