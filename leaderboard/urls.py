"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from leaderboard.api import api
from leaderboard.http import too_often
from leaderboard.views import (
    account,
    benchmark,
    clip,
    compare,
    export,
    history,
    home,
    news,
    notices,
    operations,
    ranking,
    search,
    sign_in,
    steer,
    submission,
    system,
    team,
    visibility,
)

release = [
    path("clips/", clip.clips, name="clips"),
    path("clips/<path:key>/", clip.clip, name="clip"),
    path("<slug:track>/", ranking.ranking, name="ranking"),
    path("<slug:track>/export.<slug:suffix>", export.export, name="export"),
    path("<slug:track>/scores.<slug:suffix>", export.scores, name="scores"),
    path("<slug:track>/badge/<slug:system>.svg", export.badge, name="badge"),
    path("<slug:track>/rankings/<slug:fingerprint>.json", export.stored, name="stored-ranking"),
    path("<slug:track>/systems/<slug:system>/", ranking.summary, name="summary"),
    path("<slug:track>/history/", history.rankings, name="history"),
    path("<slug:track>/history/<slug:system>/", history.system, name="system-history"),
    path("<slug:track>/claims/", ranking.claims, name="claims"),
    path("<slug:track>/reliability/", ranking.reliability, name="reliability"),
    path("<slug:track>/compare/", compare.compare, name="compare"),
    path("<slug:track>/explore/", ranking.explore, name="explore"),
    path("<slug:track>/relations/", ranking.relations, name="relations"),
]

one_team = [
    path("", team.team, name="team"),
    path("invite/", team.invite, name="invite"),
    path("accept/", team.accept, name="accept-invitation"),
    path("decline/", team.decline, name="decline-invitation"),
    path("leave/", team.leave, name="leave-team"),
    path("dissolve/", team.dissolve, name="dissolve-team"),
    path("invitations/<int:pk>/take-back/", team.take_back, name="take-back-invitation"),
    path("members/<int:pk>/remove/", team.remove, name="remove-member"),
    path("members/<int:pk>/role/", team.set_role, name="member-role"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("b/<slug:slug>/", benchmark.benchmark, name="benchmark"),
    path("b/<slug:slug>/news/", news.news, name="news"),
    path("b/<slug:slug>/news.atom", news.NewsFeed(), name="news-feed"),
    path("b/<slug:slug>/submit/", submission.submit, name="submit"),
    path("b/<slug:slug>/<str:version>/", include(release)),
    path("clips/<int:pk>/media/", clip.media, name="clip-media"),
    path("search/", search.search, name="search"),
    path("systems/<slug:slug>/", system.system, name="system"),
    path("submissions/", submission.submissions, name="submissions"),
    path("submissions/<uuid:pk>/", submission.submission, name="submission"),
    path("submissions/<uuid:pk>/progress/", submission.progress, name="submission-progress"),
    path("submissions/<uuid:pk>/file/", submission.file, name="submission-file"),
    path("submissions/<uuid:pk>/cancel/", steer.cancel, name="submission-cancel"),
    path("submissions/<uuid:pk>/retry/", steer.retry, name="submission-retry"),
    path("submissions/<uuid:pk>/visibility/", visibility.change, name="submission-visibility"),
    path("submissions/<uuid:pk>/withdraw/", visibility.withdraw, name="submission-withdraw"),
    path("notices/", notices.notices, name="notices"),
    path("notices/read/", notices.read_all, name="read-notices"),
    path("notices/<int:pk>/", notices.read, name="read-notice"),
    path("systems/<slug:slug>/edit/", system.edit, name="system-edit"),
    path("systems/<slug:slug>/team/", system.hand_over, name="system-team"),
    path("account/", account.account, name="account"),
    path("account/tokens/", account.tokens, name="tokens"),
    path("account/tokens/<int:pk>/revoke/", account.revoke, name="revoke-token"),
    path("account/confirm-again/", account.confirm_again, name="confirm-again"),
    path("account/delete/", account.delete, name="delete-account"),
    path("teams/", team.team_list, name="teams"),
    path("teams/<slug:slug>/", include(one_team)),
    path("curate/", include("leaderboard.curate_urls")),
    path("healthz", operations.healthz, name="healthz"),
    path("readyz", operations.readyz, name="readyz"),
    path("metrics", operations.metrics, name="metrics"),
    path("api/", api.urls),
    path("admin/", admin.site.urls),
    path("oidc/<str:provider_id>/login/", sign_in.login, name="openid_connect_login"),
    path(
        "oidc/<str:provider_id>/login/callback/", sign_in.callback, name="openid_connect_callback"
    ),
    # Last: signing in and up, passwords, mail addresses, second factors, sign-in services.
    path("", include("allauth.urls")),
]

handler400 = "leaderboard.http.bad_request"
handler500 = "leaderboard.http.server_error"
# Django knows no handler of this name; django-allauth asks for it.
handler429 = too_often
