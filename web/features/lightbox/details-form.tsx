import { ExternalLink } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { errorText } from '../../format/error-text.ts'
import { shareLink } from '../../model/images/image-links.ts'
import { findTags } from '../../model/images/tags.ts'
import { lightbox } from '../../texts/lightbox-messages.ts'
import { TagField } from '../../ui/combobox/tag-field.tsx'
import { FormField } from '../../ui/forms/form-field.tsx'
import { OutcomeText } from '../../ui/forms/form-outcome.tsx'
import { textIn, useSubmit } from '../../ui/forms/use-submit.ts'

export type ImageTexts = Pick<Image, 'title' | 'alt' | 'slug'> & Partial<Pick<Image, 'tags'>>

const texts = lightbox.form
const { maxTitleLength, maxAltLength, maxSlugLength, suggestedSlugLength } = limits.share

interface Props {
  image: Image
  onSave: (texts: ImageTexts) => Promise<void>
}

/** What the owner says about the image: title, alternative text, custom link and tags. */
export function DetailsForm({ image, onSave }: Props) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [tags, setTags] = useState(image.tags)
  const [altLength, setAltLength] = useState(image.alt.length)
  const { isBusy, outcome, clearOutcome, formProps } = useSubmit({
    async send(element) {
      const text = (name: string) => textIn(element, name).trim()
      await onSave({
        title: text('title'),
        alt: text('alt'),
        slug: text('slug').toLowerCase() || null,
        ...(!image.is_guest && { tags }),
      })
      return texts.saved
    },
    explain: (error) => errorText(error, texts.failed),
  })

  function suggest(): void {
    const field = form.current?.elements.namedItem('slug')
    if (!(field instanceof HTMLInputElement)) return
    field.value = suggestedSlug()
    field.focus()
    clearOutcome()
  }

  return (
    <form
      {...formProps}
      ref={form}
      aria-label={texts.label}
      className="mt-5 grid gap-4 border-t border-border pt-5 text-dense"
      onInput={clearOutcome}
    >
      <FormField
        id={`${id}title`}
        name="title"
        label={texts.title}
        maxLength={maxTitleLength}
        defaultValue={image.title}
        isRequired={false}
      />
      <FormField
        id={`${id}alt`}
        name="alt"
        label={texts.alt}
        hint={texts.altHint}
        maxLength={maxAltLength}
        defaultValue={image.alt}
        isRequired={false}
        rows={3}
        length={altLength}
        onLength={setAltLength}
      />
      {!image.is_guest && (
        <div className="grid grid-cols-[1fr_auto] items-start gap-2">
          <FormField
            id={`${id}slug`}
            name="slug"
            label={texts.slug}
            hint={texts.slugHint}
            maxLength={maxSlugLength}
            defaultValue={image.slug ?? ''}
            isRequired={false}
          />
          <button type="button" className="btn btn-quiet mt-[1.625rem] px-3 coarse:h-12" onClick={suggest}>
            {texts.suggest}
          </button>
        </div>
      )}
      {!image.is_guest && (
        <TagField
          tags={tags}
          onChange={(changed) => {
            setTags(changed)
            clearOutcome()
          }}
          suggest={findTags}
        />
      )}
      {outcome?.kind === 'failed' && <OutcomeText outcome={outcome} />}
      <div className="flex flex-wrap items-center gap-3">
        <button type="submit" className="btn btn-quiet" disabled={isBusy}>
          {isBusy ? texts.saving : texts.save}
        </button>
        <p role="status" className="font-medium text-success-text empty:hidden">
          {outcome?.kind === 'done' && outcome.text}
        </p>
      </div>
      <a
        className="link inline-flex items-center gap-1.5 justify-self-start py-1 wrap-anywhere coarse:min-h-11"
        href={shareLink(image)}
        target="_blank"
        rel="noopener noreferrer"
      >
        <ExternalLink className="size-4 shrink-0" aria-hidden />
        {texts.openPage}
      </a>
    </form>
  )
}

/** 32 characters, none of which looks like another. */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz'

/** A random custom link: short, for QR codes, and one of 32^8. */
const suggestedSlug = () =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(suggestedSlugLength)),
    (byte) => alphabet[byte % alphabet.length],
  ).join('')
