import { Globe, Link2, Lock } from 'lucide-react'
import { useState } from 'react'
import { shortDate } from '../../format/dates.ts'
import { serverText } from '../../model/api-error.ts'
import { visibility } from '../../texts/dashboard-messages.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { share as texts } from '../../texts/share-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { copyText } from '../../ui/copy/copy-text.ts'
import { Select } from '../../ui/forms/select.tsx'
import { useAction } from '../../ui/use-action.ts'
import { notify } from '../../ui/toast/toast.ts'

export interface PrivateLink {
  page_url: string
  expires_at: string
}

interface Props {
  createLink: (days: number) => Promise<PrivateLink>
  endLinks: () => Promise<void>
  makePublic: () => Promise<void>
}

const choices = ['1', '7', '30', '365'] as const

/** In place of the link of a public image: who may view a private one, and for how long. */
export function PrivateShare({ createLink, endLinks, makePublic }: Props) {
  const [days, setDays] = useState<(typeof choices)[number]>('7')
  const [link, setLink] = useState<PrivateLink>()
  const { isBusy, run } = useAction(notify.failure)

  async function copyLink(): Promise<boolean> {
    try {
      const created = await createLink(Number(days))
      setLink(created)
      return await copyText(created.page_url, texts.privateCopied(shortDate(created.expires_at)))
    } catch (error) {
      notify.failure(serverText(error, texts.privateFailed), error)
      return false
    }
  }

  const change = (task: () => Promise<void>, done: string, failed: string) =>
    void run(
      async () => {
        await task()
        notify.success(done)
      },
      (error) => serverText(error, failed),
    )

  return (
    <>
      <p className="flex items-center gap-2 text-dense text-text-2">
        <Lock className="size-4 shrink-0" aria-hidden />
        {texts.privateText}
      </p>
      <Select
        label={texts.privateDays}
        hasLabel
        value={days}
        options={choices.map((choice) => [choice, texts.days(Number(choice))])}
        onChange={setDays}
      />
      <CopyButton
        className="btn btn-primary btn-lg w-full"
        icon={<Link2 className="size-5" aria-hidden />}
        copied={copy.copied}
        onCopy={copyLink}
      >
        {texts.copyLink}
      </CopyButton>
      {link !== undefined && (
        <p className="text-meta wrap-anywhere text-text-2" role="status">
          {texts.privateUntil(shortDate(link.expires_at))}{' '}
          <a href={link.page_url} target="_blank" rel="noopener noreferrer">
            {link.page_url.replace(/^https?:\/\//, '')}
          </a>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-quiet flex-1"
          disabled={isBusy}
          onClick={() => change(makePublic, visibility.done(1, 'public'), visibility.failed)}
        >
          <Globe className="size-4" aria-hidden />
          {visibility.makePublic}
        </button>
        <button
          type="button"
          className="btn btn-quiet flex-1"
          disabled={isBusy}
          onClick={() => {
            setLink(undefined)
            change(endLinks, texts.linksEnded, texts.endFailed)
          }}
        >
          {texts.endLinks}
        </button>
      </div>
    </>
  )
}
