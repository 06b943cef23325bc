// The details of one endpoint: a sheet beside the table, full screen on a phone.
import { Link2 } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { EndpointDoc, FieldDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { detail, docs } from '../../../texts/docs-messages.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TabList, tabId } from '../../../ui/tab-list.tsx'
import { detailTabs } from '../docs-address.ts'
import { AccessBadge, CategoryBadge, MethodBadge, Path } from './badges.tsx'
import { copyDocs } from '../copy-docs.ts'
import { initialDraft } from '../try-it/request-draft.ts'
import { Responses } from './responses.tsx'
import { SampleCall } from '../code/sample-call.tsx'
import { KeyField } from '../try-it/key-field.tsx'
import { TryIt } from '../try-it/try-it.tsx'
import type { DocsLocation } from '../use-docs-address.ts'
import { ColumnHeads } from '../column-heads.tsx'

export function EndpointDialog({ endpoint, place }: { endpoint: EndpointDoc; place: DocsLocation }) {
  const panelId = useId()
  const textId = useId()
  // Both exist only while these details are open.
  const [credential, setCredential] = useState('')
  const [draft, setDraft] = useState(() => initialDraft(endpoint))
  useReturnedFocus()
  const { method, path, summary, description, access, category, keyScope } = endpoint
  const shared = { endpoint, draft, credential, onCredential: setCredential }

  return (
    <Dialog
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <MethodBadge method={method} />
          <Path path={path} />
        </span>
      }
      size="side"
      describedBy={textId}
      onClose={place.closeEndpoint}
    >
      <div id={textId} className="-mt-4 grid gap-1.5">
        <p className="text-reading font-medium">{summary}</p>
        {description !== undefined && <p className="text-text-2">{description}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <AccessBadge access={access} isDetail />
        <CategoryBadge category={category} />
        {keyScope !== undefined && <span className="docs-badge">{detail.keyScope(keyScope)}</span>}
        <CopyButton
          className="btn btn-ghost btn-sm docs-link"
          icon={<Link2 className="size-4" aria-hidden />}
          copied={docs.copiedMark}
          onCopy={() => copyDocs(location.origin + place.hrefOf({ tab: 'endpoints', category: 'all', q: '' }), 'text')}
        >
          {detail.copyLink}
        </CopyButton>
      </div>
      <TabList
        label={detail.sections}
        tabs={detailTabs.map((id) => ({ id, label: detail.tabs[id] }))}
        selected={place.detail}
        onSelect={place.showDetail}
        panelId={panelId}
      />
      <div id={panelId} role="tabpanel" aria-labelledby={tabId(panelId, place.detail)} className="docs-detail">
        {place.detail === 'examples' && (
          <>
            <SampleCall {...shared} />
            <KeyField {...shared} label={detail.insertKey} text={detail.insertKeyText} />
          </>
        )}
        {place.detail === 'parameters' && <Parameters endpoint={endpoint} />}
        {place.detail === 'responses' && <Responses endpoint={endpoint} />}
        <TryIt {...shared} isShown={place.detail === 'try'} onDraft={setDraft} />
      </div>
    </Dialog>
  )
}

/** Back unmounts the dialog without closing it, and the browser then restores no focus. */
function useReturnedFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // The dialog was opened by a reload or a link: the focus moves to the heading behind it.
      const target = opener === document.body ? document.querySelector('.docs-panel h2') : opener
      if (target instanceof HTMLElement && target.isConnected) target.focus({ preventScroll: true })
    },
    [opener],
  )
}

function Parameters({ endpoint }: { endpoint: EndpointDoc }) {
  const { params, query, headers, body, bodyKind } = endpoint
  if ([params, query, headers, body].every(({ length }) => length === 0))
    return <p className="text-text-2">{detail.noParameters}</p>
  return (
    <>
      <Fields title={detail.params} fields={params} />
      <Fields title={detail.query} fields={query} />
      <Fields title={detail.headers} fields={headers} />
      <Fields title={detail.body} kind={bodyKind === 'multipart' ? detail.form : detail.json} fields={body} />
    </>
  )
}

function Fields({ title, kind, fields }: { title: string; kind?: string; fields: FieldDoc[] }) {
  if (fields.length === 0) return null
  const { columns } = detail
  return (
    <section className="grid gap-3">
      <h3 className="flex flex-wrap items-baseline gap-x-3 text-h3">
        {title}
        {kind !== undefined && <code className="text-meta font-normal text-text-2">{kind}</code>}
      </h3>
      <table className="docs-table docs-fields">
        <ColumnHeads names={[columns.name, columns.type, columns.required, columns.description]} />
        <tbody>
          {fields.map(({ name, type, required, description }) => (
            <tr key={name}>
              <th scope="row">
                <code translate="no">{name}</code>
              </th>
              <td>{type}</td>
              <td>{required ? <span className="docs-required">{detail.required}</span> : detail.optional}</td>
              <td>{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
