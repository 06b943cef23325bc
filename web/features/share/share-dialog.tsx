import type { ComponentProps } from 'react'
import { share as texts } from '../../texts/share-messages.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ShareContent } from './share-content.tsx'

type Props = ComponentProps<typeof ShareContent> & { onClose: () => void }

/** The share sheet of an image. */
export const ShareDialog = ({ onClose, ...rest }: Props) => (
  <Dialog title={texts.title} onClose={onClose} size="wide">
    <ShareContent {...rest} />
  </Dialog>
)
