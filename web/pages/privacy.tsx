import { titles } from '../notify/messages.ts'
import { privacy } from '../notify/prose.ts'
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
