import { MailCheck } from 'lucide-react'
import { Link } from 'wouter'
import { useSite } from '../../model/site.ts'
import { paths } from '../../paths.ts'
import { confirmEmail } from '../../texts/dashboard-messages.ts'

/** For accounts from before addresses were confirmed, and of admins' making: until then they get no mail. */
export function ConfirmEmailCard({ email }: { email: string }) {
  const { mail } = useSite()
  if (!mail) return null
  return (
    <section className="card mt-4 flex flex-wrap items-center gap-x-4 gap-y-3 p-4" aria-label={confirmEmail.label}>
      <MailCheck className="size-6 shrink-0 text-accent-text" aria-hidden />
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold">{confirmEmail.title}</p>
        <p className="text-dense wrap-anywhere text-text-2">{confirmEmail.text(email)}</p>
      </div>
      <Link href={paths.account} className="btn btn-quiet">
        {confirmEmail.open}
      </Link>
    </section>
  )
}
