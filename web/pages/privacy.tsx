import { titles } from '../texts/messages.ts'
import { privacy } from '../texts/prose.ts'
import { ProsePage } from './prose-page.tsx'

export const PrivacyPage = () => (
  <ProsePage
    title={privacy.title}
    documentTitle={titles.privacy}
    lead={privacy.lead}
    chapters={privacy.chapters}
    isDated
  />
)
