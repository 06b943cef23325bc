import { Link2 } from 'lucide-react'
import { copy, copyAs } from '../../texts/gallery-messages.ts'
import { ChoiceMenu } from '../menu/choice-menu.tsx'
import { CopyButton } from './copy-button.tsx'

type Choice = keyof typeof copyAs.choices
const choices = Object.keys(copyAs.choices) as Choice[]

interface Props {
  choice: Choice
  /** Copies, and remembers the choice. @returns whether that succeeded */
  onCopy: (choice: Choice) => Promise<boolean>
  /** Of both halves. */
  className: string
  /** Of the whole. */
  place?: string
}

/** Copies an image as it was copied last; the menu has the other ways. */
export function CopyChoiceButton({ choice, onCopy, className, place = '' }: Props) {
  return (
    <span className={`split ${place}`}>
      <CopyButton
        className={className}
        icon={<Link2 className="size-4" aria-hidden />}
        copied={copy.copied}
        onCopy={() => onCopy(choice)}
      >
        {copyAs.actions[choice]}
      </CopyButton>
      <ChoiceMenu
        label={copyAs.more}
        className={className}
        choices={choices.map((id) => ({
          id,
          label: copyAs.choices[id],
          isCurrent: id === choice,
          run: () => void onCopy(id),
        }))}
      />
    </span>
  )
}
