// The options of a link: one calm row each, and what few people need under 'More'.
import { ChevronDown } from 'lucide-react'
import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { localDay } from '../../format/dates.ts'
import { linkOptions as texts } from '../../texts/links/link-messages.ts'
import { FieldProblem } from '../../ui/forms/field-problem.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Switch } from '../../ui/forms/switch.tsx'
import type { DraftProblems, EndChoice, LinkDraft } from './link-draft.ts'
import { SmallButton } from '../../ui/small-button.tsx'
import './links.css'

interface Props {
  draft: LinkDraft
  problems: DraftProblems
  onChange: (draft: LinkDraft) => void
}

export function OptionRows({ draft, problems, onChange }: Props) {
  const set = <K extends keyof LinkDraft>(field: K, value: LinkDraft[K]) => onChange({ ...draft, [field]: value })
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className="link-options" role="group" aria-label={texts.label}>
      <PasswordRow draft={draft} onChange={onChange} />
      <div className="link-row">
        <span aria-hidden>{texts.ends}</span>
        <div className="link-control">
          <Select label={texts.ends} value={draft.ends} options={endChoices} onChange={(ends) => set('ends', ends)} />
        </div>
      </div>
      {draft.ends === 'date' && (
        <Row
          label={texts.endDate}
          type="date"
          min={localDay(new Date())}
          value={draft.date}
          problem={problems.date}
          onText={(date) => set('date', date)}
        />
      )}
      <Row
        label={texts.views}
        inputMode="numeric"
        placeholder={texts.viewsNone}
        value={draft.views}
        problem={problems.views}
        onText={(views) => set('views', views.trim())}
      />
      <div className="link-row-switch">
        <Switch
          label={texts.download}
          {...(!draft.canDownload && { text: texts.downloadOff(pixels(limits.links.previewPx)) })}
          isOn={draft.canDownload}
          onChange={(isOn) => set('canDownload', isOn)}
        />
      </div>
      <Row
        label={texts.watermark}
        placeholder={texts.watermarkNone}
        maxLength={limits.links.maxWatermarkLength}
        value={draft.watermark}
        onText={(watermark) => set('watermark', watermark)}
      />
      {draft.showsPrivate !== null && (
        <div className="link-row-switch">
          <Switch
            label={texts.showsPrivate}
            {...(!draft.showsPrivate && { text: texts.showsPrivateText })}
            isOn={draft.showsPrivate}
            onChange={(isOn) => set('showsPrivate', isOn)}
          />
        </div>
      )}
      <button
        type="button"
        className="btn btn-ghost link-more"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {texts.more}
        <ChevronDown className="size-4" aria-hidden />
      </button>
      <div id={id} className="grid" hidden={!isOpen && problems.slug === undefined}>
        <div className="link-row">
          <span aria-hidden>{texts.size}</span>
          <div className="link-control">
            <Select
              label={texts.size}
              value={draft.maxSize}
              options={sizesWith(draft.maxSize)}
              onChange={(maxSize) => set('maxSize', maxSize)}
            />
          </div>
        </div>
        <Row
          label={texts.slug}
          hint={texts.slugHint}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.share.maxSlugLength}
          value={draft.slug}
          problem={problems.slug}
          onText={(slug) => set('slug', slug)}
        />
        <Row
          label={texts.name}
          hint={texts.nameHint}
          maxLength={limits.links.maxNameLength}
          value={draft.name}
          onText={(name) => set('name', name)}
        />
        <Row
          label={texts.note}
          maxLength={limits.links.maxNoteLength}
          value={draft.note}
          onText={(note) => set('note', note)}
        />
      </div>
    </div>
  )
}

function PasswordRow({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  return (
    <Row
      label={texts.password}
      placeholder={draft.keepsPassword ? texts.passwordKept : texts.passwordNone}
      // It is told to others: who chooses it has to read it.
      type="text"
      spellCheck={false}
      autoCapitalize="none"
      maxLength={limits.account.maxPasswordLength}
      value={draft.password}
      onText={(password) => onChange({ ...draft, password })}
    >
      {draft.keepsPassword && (
        <SmallButton
          text={texts.removePassword}
          isGhost
          onPress={() => onChange({ ...draft, password: '', keepsPassword: false })}
        />
      )}
    </Row>
  )
}

interface RowProps extends Omit<ComponentProps<'input'>, 'id' | 'onChange'> {
  label: string
  hint?: string
  problem?: string | undefined
  onText: (text: string) => void
}

function Row({ label, hint, problem, onText, children, ...input }: RowProps & { children?: ReactNode }) {
  const id = useId()
  const text = problem ?? hint
  return (
    <div className="link-row">
      <label htmlFor={id}>{label}</label>
      <div className="link-control">
        <input
          autoComplete="off"
          {...input}
          id={id}
          className="field"
          aria-invalid={problem !== undefined}
          aria-describedby={text === undefined ? undefined : `${id}text`}
          onChange={({ target }) => onText(target.value)}
        />
        {children}
      </div>
      {text !== undefined && (
        <div id={`${id}text`} className="link-row-text">
          {problem === undefined ? text : <FieldProblem text={problem} />}
        </div>
      )}
    </div>
  )
}

const endChoices = (['never', '1', '7', '30', 'date'] as const).map((choice): [EndChoice, string] => [
  choice,
  texts.endChoices[choice],
])

const pixels = (px: number) => px.toLocaleString('en-US')
const sizes = ['800', '1600', '2400']

/** A size that was set by the API is offered too. */
const sizesWith = (current: string): [string, string][] => [
  ['', texts.sizeAny],
  ...[...new Set([...sizes, current])]
    .filter((px) => px !== '')
    .map((px): [string, string] => [px, texts.pixels(pixels(Number(px)))]),
]
