import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Redirect, useSearch } from 'wouter'
import type { NewApiKey } from '../../contract/endpoints/api-keys.ts'
import { apiKeyList } from '../model/api-keys.ts'
import { refresh } from '../model/query-client.ts'
import { useSite } from '../model/site.ts'
import { CreateKeyForm } from '../features/api-keys/create-key-form.tsx'
import { KeyList } from '../features/api-keys/key-list.tsx'
import { KeyUses } from '../features/tools/key-uses.tsx'
import { WebhookSection } from '../features/webhooks/webhook-section.tsx'
import { NewKeyDialog } from '../features/api-keys/new-key-dialog.tsx'
import { paths } from '../paths.ts'
import { titles } from '../texts/messages.ts'
import { webhooks } from '../texts/webhooks-messages.ts'
import { apiKeys } from '../texts/api-keys-messages.ts'
import { copyText } from '../ui/copy/copy-text.ts'
import { copy } from '../texts/gallery-messages.ts'
import { CopyButton } from '../ui/copy/copy-button.tsx'
import { Link } from '../ui/link.tsx'
import { Section } from '../ui/section.tsx'
import { DeveloperNav, webhooksSearch } from './developer-nav.tsx'
import { usePageTitle } from './use-page-title.ts'
import '../features/api-keys/api-keys.css'
import '../features/tools/tools.css'

/** API keys or, with `?tab=webhooks`, webhooks. Older mails lead to `#webhooks`. */
export function ApiKeysPage() {
  const isWebhooks = `?${useSearch()}` === webhooksSearch
  if (!isWebhooks && location.hash === '#webhooks') return <Redirect to={paths.apiKeys + webhooksSearch} replace />
  return isWebhooks ? <Webhooks /> : <Keys />
}

function Webhooks() {
  usePageTitle(webhooks.title)
  return (
    <div className="page developer-page">
      <DeveloperNav current="webhooks" />
      <h1 id="webhooks-title" tabIndex={-1} className="text-title">
        {webhooks.title}
      </h1>
      <Section>
        <WebhookSection />
      </Section>
    </div>
  )
}

function Keys() {
  const { siteName } = useSite()
  usePageTitle(titles.apiKeys)
  const [created, setCreated] = useState<NewApiKey>()

  function show(key: NewApiKey): void {
    setCreated(key)
    void refresh(apiKeyList)
  }

  function discard(): void {
    setCreated(undefined)
    // The button that created it was disabled meanwhile, so the browser returns no focus to it.
    requestAnimationFrame(() => document.getElementById('keys')?.focus())
  }

  return (
    <div className="page developer-page">
      <DeveloperNav current="keys" />
      <h1 className="text-title">{titles.apiKeys}</h1>
      <ApiKeyUsage />
      <Section>
        <CreateKeyForm onCreated={show} />
      </Section>
      <Section>
        <KeyList />
      </Section>
      {created !== undefined && (
        <NewKeyDialog created={created} onDone={discard}>
          {(onTaken) => <KeyUses created={created} siteName={siteName} onTaken={onTaken} />}
        </NewKeyDialog>
      )}
    </div>
  )
}

/** What a key is for, and the header it is sent in. */
function ApiKeyUsage() {
  return (
    <div className="mt-3 grid gap-3">
      <p className="max-w-[68ch] text-reading text-text-2">{apiKeys.intro}</p>
      <div className="flex max-w-full flex-wrap items-center gap-2">
        <code className="code max-w-full py-2">{apiKeys.header}</code>
        <CopyButton
          className="btn btn-quiet btn-sm coarse:h-11"
          icon={<Copy className="size-4" aria-hidden />}
          copied={copy.copied}
          onCopy={() => copyText(apiKeys.header, apiKeys.headerCopied)}
        >
          {apiKeys.copyHeader}
        </CopyButton>
      </div>
      <p className="text-dense text-text-2">
        {apiKeys.apps}{' '}
        <Link className="link" to={paths.tools}>
          {titles.tools}
        </Link>
      </p>
    </div>
  )
}
