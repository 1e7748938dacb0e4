"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from leaderboard.api import api
from leaderboard.views import (
    account,
    benchmark,
    clip,
    compare,
    home,
    ranking,
    submission,
    visibility,
)

release = [
    path("clips/", clip.clips, name="clips"),
    path("clips/<path:key>/", clip.clip, name="clip"),
    path("<slug:track>/", ranking.ranking, name="ranking"),
    path("<slug:track>/claims/", ranking.claims, name="claims"),
    path("<slug:track>/reliability/", ranking.reliability, name="reliability"),
    path("<slug:track>/compare/", compare.compare, name="compare"),
    path("<slug:track>/relations/", ranking.relations, name="relations"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("b/<slug:slug>/", benchmark.benchmark, name="benchmark"),
    path("b/<slug:slug>/submit/", submission.submit, name="submit"),
    path("b/<slug:slug>/<str:version>/", include(release)),
    path("submissions/", submission.submissions, name="submissions"),
    path("submissions/<uuid:pk>/", submission.submission, name="submission"),
    path("submissions/<uuid:pk>/progress/", submission.progress, name="submission-progress"),
    path("submissions/<uuid:pk>/visibility/", visibility.change, name="submission-visibility"),
    path("submissions/<uuid:pk>/withdraw/", visibility.withdraw, name="submission-withdraw"),
    path("login/", account.Login.as_view(), name="login"),
    path("logout/", account.Logout.as_view(), name="logout"),
    path("signup/", account.signup, name="signup"),
    path("account/", account.account, name="account"),
    path("account/tokens/<int:pk>/revoke/", account.revoke, name="revoke-token"),
    path("curate/", include("leaderboard.curate_urls")),
    path("api/", api.urls),
    path("admin/", admin.site.urls),
]
