// Inputs for the parts of a request.
import { ChevronDown } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import type { EndpointDoc, FieldDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { detail, tryIt } from '../../../texts/docs-messages.ts'
import { fieldsOf, fileFieldOf, type RequestDraft, type FieldGroup } from './request-draft.ts'
import { FieldProblem } from '../../../ui/forms/field-problem.tsx'

interface Props {
  endpoint: EndpointDoc
  draft: RequestDraft
  onDraft: (draft: RequestDraft) => void
  problems: ReadonlyMap<string, string>
}

const titles: Record<FieldGroup, string> = {
  params: detail.params,
  query: detail.query,
  headers: detail.headers,
  form: detail.body,
}

export function TryFields({ endpoint, draft, onDraft, problems }: Props) {
  const file = fileFieldOf(endpoint)
  const group = (name: FieldGroup, before?: ReactNode) => {
    const fields = fieldsOf(endpoint, name)
    return fields.length === 0 && before === undefined ? null : (
      <fieldset className="docs-fieldset">
        <legend>{titles[name]}</legend>
        {before}
        {fields.map((field) => (
          <TextField
            key={field.name}
            field={field}
            name={`${name}.${field.name}`}
            value={draft[name][field.name] ?? ''}
            problem={problems.get(`${name}.${field.name}`)}
            onChange={(value) => onDraft({ ...draft, [name]: { ...draft[name], [field.name]: value } })}
          />
        ))}
      </fieldset>
    )
  }
  return (
    <>
      {group('params')}
      {group('query')}
      {group('headers')}
      {group(
        'form',
        file && (
          <FileField
            field={file}
            problem={problems.get('file')}
            onChoose={(chosen) => onDraft({ ...draft, file: chosen })}
          />
        ),
      )}
      {endpoint.bodyKind === 'json' && (
        <JsonField json={draft.json} problem={problems.get('json')} onChange={(json) => onDraft({ ...draft, json })} />
      )}
    </>
  )
}

interface LabelledProps {
  id: string
  label: ReactNode
  text?: string | undefined
  problem: string | undefined
  children: ReactNode
}

/** The ids of the elements that describe it: the field's id with `-text` and `-problem`. */
function Labelled({ id, label, text, problem, children }: LabelledProps) {
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <label htmlFor={id} className="flex flex-wrap items-baseline gap-x-2">
        {label}
      </label>
      {children}
      {text !== undefined && (
        <p id={`${id}-text`} className="text-meta text-text-2">
          {text}
        </p>
      )}
      {problem !== undefined && <FieldProblem id={`${id}-problem`} text={problem} />}
    </div>
  )
}

const described = (id: string, problem: string | undefined) => ({
  'aria-describedby': problem === undefined ? `${id}-text` : `${id}-text ${id}-problem`,
  'aria-invalid': problem !== undefined,
})

interface TextFieldProps {
  field: FieldDoc
  name: string
  value: string
  problem: string | undefined
  onChange: (value: string) => void
}

function TextField({ field, name, value, problem, onChange }: TextFieldProps) {
  const id = useId()
  const choices = choicesOf(field.type)
  const shared = { id, name, value, required: field.required, ...described(id, problem) }
  return (
    <Labelled id={id} label={<FieldName field={field} />} text={field.description} problem={problem}>
      {choices ? (
        <span className="select">
          <select {...shared} onChange={(event) => onChange(event.target.value)}>
            <option value="">{tryIt.empty}</option>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
          <ChevronDown className="size-4" aria-hidden />
        </span>
      ) : (
        <input
          {...shared}
          className="field font-mono"
          placeholder={placeholderOf(field)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  )
}

function FieldName({ field: { name, type, required } }: { field: FieldDoc }) {
  return (
    <>
      <code className="font-medium" translate="no">
        {name}
      </code>
      <span className="text-meta text-text-2">{type}</span>
      {required && <span className="docs-required">{detail.required}</span>}
    </>
  )
}

function choicesOf(type: string): string[] | undefined {
  if (type === 'boolean') return ['true', 'false']
  return type.startsWith('one of ') ? type.slice('one of '.length).split(', ') : undefined
}

const placeholderOf = ({ sample }: FieldDoc) =>
  (typeof sample === 'string' && sample !== 'string') || typeof sample === 'number' ? String(sample) : undefined

interface FileFieldProps {
  field: FieldDoc
  problem: string | undefined
  onChoose: (file: File | undefined) => void
}

function FileField({ field, problem, onChoose }: FileFieldProps) {
  const id = useId()
  return (
    <Labelled id={id} label={<FieldName field={field} />} text={field.description} problem={problem}>
      <input
        id={id}
        name="file"
        type="file"
        className="docs-file"
        required={field.required}
        {...described(id, problem)}
        onChange={(event) => onChoose(event.target.files?.[0])}
      />
    </Labelled>
  )
}

function JsonField({
  json,
  problem,
  onChange,
}: {
  json: string
  problem: string | undefined
  onChange: (json: string) => void
}) {
  const id = useId()
  const rows = Math.min(16, Math.max(4, json.split('\n').length))
  return (
    <fieldset className="docs-fieldset">
      <legend>{detail.body}</legend>
      <Labelled id={id} label={tryIt.jsonBody} problem={problem}>
        <textarea
          id={id}
          name="json"
          className="field docs-json"
          rows={rows}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={json}
          {...described(id, problem)}
          onChange={(event) => onChange(event.target.value)}
        />
      </Labelled>
    </fieldset>
  )
}
