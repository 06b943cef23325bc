import { Send } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../model/session.ts'
import { useSite } from '../../model/site.ts'
import { contact } from '../../texts/contact-messages.ts'
import { FormField } from '../../ui/forms/form-field.tsx'
import { FormFailure, FormSent, Honeypot } from '../../ui/forms/form-outcome.tsx'
import { maxLengths, type FieldName } from './contact-fields.ts'
import { useContactForm } from './use-contact-form.ts'

const texts = contact.form

/** Name and email of a signed-in user are filled in. */
export function ContactForm() {
  const { supportEmail } = useSite()
  const session = useSession()
  const user = session.status === 'in' ? session.user : undefined
  const { shownAt, isBusy, problems, outcome, formProps } = useContactForm()
  const [length, setLength] = useState(0)
  const field = (name: FieldName) => ({
    id: `contact-${name}`,
    name,
    label: texts[name],
    problem: problems[name],
    maxLength: maxLengths[name],
  })

  return (
    <form
      {...formProps}
      className="card flex flex-col p-5 md:p-6 lg:p-8"
      aria-labelledby="message-form"
      onReset={() => setLength(0)}
    >
      <h2 id="message-form" className="text-h2">
        {texts.title}
      </h2>
      <p className="mt-1 mb-6 text-text-2">{texts.lead}</p>
      <div className="grid flex-1 gap-5 md:grid-cols-2 lg:grid-rows-[auto_auto_1fr]">
        <FormField {...field('name')} autoComplete="name" defaultValue={user?.name} />
        <FormField {...field('email')} type="email" autoComplete="email" defaultValue={user?.email} />
        <FormField {...field('subject')} autoComplete="off" className="md:col-span-2" />
        <FormField
          {...field('message')}
          rows={4}
          length={length}
          onLength={setLength}
          className="md:col-span-2 lg:grid-rows-[auto_1fr_auto] lg:content-stretch"
        />
      </div>
      <input type="hidden" name="recipient" value={supportEmail} readOnly />
      <input type="hidden" name="time" value={shownAt} readOnly />
      <Honeypot />
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-4">
        <button type="submit" className="btn btn-primary btn-lg max-xs:w-full" disabled={isBusy}>
          <Send className="size-4.5" aria-hidden />
          {isBusy ? texts.busy : texts.submit}
        </button>
        <div className="min-w-0 flex-[1_1_18rem]">
          {outcome?.kind === 'done' && <FormSent text={outcome.text} />}
          {outcome?.kind === 'failed' && <FormFailure text={texts.failed} reason={outcome.text} />}
        </div>
      </div>
    </form>
  )
}
