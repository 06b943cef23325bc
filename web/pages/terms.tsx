import { titles } from '../texts/messages.ts'
import { terms } from '../texts/prose.ts'
import { ProsePage } from './prose-page.tsx'

export const TermsPage = () => (
  <ProsePage title={terms.title} documentTitle={titles.terms} lead={terms.lead} chapters={terms.chapters} isDated />
)
