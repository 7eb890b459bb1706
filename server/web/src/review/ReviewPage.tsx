import { useText } from '../app/settings'
import { Identity } from './Identity'
import { Suggestions } from './Suggestions'

export default function ReviewPage() {
  const text = useText().review
  return (
    <div className="sheet">
      <h1>{text.title}</h1>
      <Identity />
      <Suggestions />
    </div>
  )
}
