import { titles } from '../notify/messages.ts'
import { terms } from '../notify/prose.ts'
import { ProsePage } from './prose-page.tsx'

export const TermsPage = () => (
  <ProsePage title={terms.title} documentTitle={titles.terms} lead={terms.lead} chapters={terms.chapters} isDated />
)
