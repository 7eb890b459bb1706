import { useText } from '../app/settings'
import { Identity } from './Identity'
import { SuggestionList } from './Suggestions'

export default function ReviewPage() {
  const text = useText().review
  return (
    <div className="sheet">
      <h1>{text.title}</h1>
      <Identity />
      <SuggestionList />
    </div>
  )
}
